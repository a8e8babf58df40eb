import { setFlagsFromString } from 'node:v8';

/**
 * Lets V8's old generation grow by 30 % of what is in use before it is collected again, rather than to several times that. By itself a
 * service kept more garbage than data: after 3,000 orders five services held 681 MB, and 431 MB so. Collecting more often costs a service
 * less than a tenth of its processor time. It is no limit: a process that needs more memory gets it.
 */
export const collectGarbageEarly = (): void => setFlagsFromString('--heap-growing-percent=30');
