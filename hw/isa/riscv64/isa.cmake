hwc_isa(riscv64 PLACE 50 TRIPLE riscv64-linux-gnu)
