static char big[2147483648u];
int main(void) { big[5] = 1; return big[7]; }
