/* Which kernels to use. */
#include <merels/builtins.h>

#include "kernel.h"
#include "takes.h"

const struct kernels *kernels_best(void)
{
#ifdef MRL_TABLES_BMI2
	if (mrl_has_bmi2())
		return &kernels_bmi2;
#endif
	return &kernels_plain;
}

size_t kernel_takes_bytes(void)
{
	return sizeof(struct stage_takes);
}
