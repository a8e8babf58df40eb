import { paymentsOf } from './from-environment.ts';

const payments = await paymentsOf(process.env);
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void payments.stop());
console.log(JSON.stringify({ listening: payments.port }));
