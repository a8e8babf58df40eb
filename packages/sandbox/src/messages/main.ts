import { messagesOf } from './from-environment.ts';

const messages = await messagesOf(process.env);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void messages.stop());
console.log(JSON.stringify({ listening: messages.ports }));
