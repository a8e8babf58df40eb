/** What happened, and what the customer can do. */
export type ErrorText = readonly [happened: string, toDo: string];
