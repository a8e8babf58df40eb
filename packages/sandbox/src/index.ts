export { defaultCacheFolder, findNatsServer, type NatsServer, type Progress } from './servers/find-nats-server.ts';
export { endLeftoverNats, type NatsOptions, type RunningNats, startNats } from './servers/nats.ts';
export { freePort, PortTaken, startOnFreePort } from './servers/ports.ts';
export { endLeftoverPostgres, type PostgresOptions, type RunningPostgres, startPostgres } from './servers/postgres.ts';
export { identityOf } from './system/process-identity.ts';
