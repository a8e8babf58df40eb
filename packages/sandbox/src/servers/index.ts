export { defaultCacheFolder, findNatsServer, type NatsServer, natsImage, type Progress } from './find-nats-server.ts';
export { claimPort, isFree } from './find-port.ts';
export { endLeftoverNats, type NatsOptions, type RunningNats, startNats } from './nats.ts';
export { type NatsAccess, natsAccess } from './nats-access.ts';
export { PortTaken, startOnFreePort } from './ports.ts';
export { endLeftoverPostgres, type PostgresOptions, type RunningPostgres, startPostgres } from './postgres.ts';
export { runWhenThisProcessEnds } from './server-process.ts';
export { judgeVersion, tested } from './tested-versions.ts';
