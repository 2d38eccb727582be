// A moment for the browser between two pieces of work, so that what a person does meanwhile need not wait for both.

export const breath = (): Promise<void> => new Promise((go) => setTimeout(go));
