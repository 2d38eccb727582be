/* The wish to end: an interrupt typed at the terminal, or a polite kill. */
#ifndef MERELS_OS_INTERRUPT_H
#define MERELS_OS_INTERRUPT_H

#include <stdbool.h>

/* From now on such a wish does not end the process but is remembered; a second one, later, ends it. Call once. */
void mrl_interrupt_catch(void);

/* Whether it was uttered. Any thread may ask. */
bool mrl_interrupted(void);

#endif
