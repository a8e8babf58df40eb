import { setFlagsFromString } from 'node:v8';

/**
 * Lets V8's old generation grow by 30 % of what is in use before it is collected again, rather than to several times that. By itself a
 * service kept more garbage than data: after 3,000 orders five services held 681 MB, and 431 MB so. What collecting more often costs
 * was measured once: 3.4 to 3.9 ms of processor time an order, and 3.6 ms without it, so it is within what two runs differ by. It is no limit: a process that needs more memory gets it.
 */
export const collectGarbageEarly = (): void => setFlagsFromString('--heap-growing-percent=30');
