/* Which kernels to use. */
#include <merels/builtins.h>

#include "kernel.h"
#include "takes.h"

const struct kernels *kernels_best(bool few)
{
#ifdef MRL_TABLES_BMI2
	if (mrl_has_bmi2())
		return few ? &kernels_few_bmi2 : &kernels_bmi2;
#endif
	return few ? &kernels_few_plain : &kernels_plain;
}

size_t kernel_takes_bytes(void)
{
	return sizeof(struct stage_takes);
}
