hwc_isa(x86_64 PLACE 10 TRIPLE x86_64-linux-gnu GUEST_INTEGER -mno-sse)
