hwc_isa(ppc64le PLACE 30 TRIPLE powerpc64le-linux-gnu GUEST -mno-altivec)
hwc_isa(ppc64 PLACE 31 TRIPLE powerpc64-linux-gnu
  GUEST -mabi=elfv2 -mno-altivec)
