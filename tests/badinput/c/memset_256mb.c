#include <string.h>
static char big[256 << 20];
int main(void) { memset(big, 1, sizeof big); return 0; }
