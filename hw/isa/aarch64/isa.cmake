hwc_isa(aarch64 PLACE 20 TRIPLE aarch64-linux-gnu
  GUEST -mno-outline-atomics GUEST_INTEGER -mgeneral-regs-only)
