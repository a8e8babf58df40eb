import { requiredServices } from '@corner/contracts';
import { expect, test } from '@jest/globals';
import { consoleEnvironment, gatewayEnvironment, type SystemSettings, serviceEnvironment } from './environment.ts';
import { ofEach, preferredPorts } from './topology.ts';

const servers = { adminUrl: 'postgres://postgres:secret@127.0.0.1:5433/corner', natsUrl: 'nats://127.0.0.1:4223' };
const settings = (base: Record<string, string> = {}): SystemSettings => ({
  services: requiredServices,
  peers: [],
  ports: preferredPorts,
  shop: false,
  issuerUrl: 'http://127.0.0.1:4243',
  replicaPorts: ofEach(() => []),
  jwksUrl: 'http://127.0.0.1:4243/jwks.json',
  consoleSessionKey: null,
  payments: { kind: 'simulator', url: 'http://127.0.0.1:4242', secretKey: 'sk_test_corner', webhookSecret: 'whsec_x' },
  messages: { folder: '/data/messages', name: '127.0.0.1', ports: { http: 4244, smtp: 4245, apns: 4246 } },
  base,
  natsAccess: null,
  databaseOfEach: false,
  fromSource: false,
  host: null,
  dataDir: '/data',
});

test('only notifications gets the addresses of the simulated message providers', () => {
  expect(serviceEnvironment('notifications', settings(), servers)).toMatchObject({
    SMTP_URL: 'smtp://127.0.0.1:4245',
    FCM_API_BASE: 'http://127.0.0.1:4244',
    FCM_SERVICE_ACCOUNT_FILE: '/data/messages/fcm-service-account.json',
    APNS_ADDRESS: '127.0.0.1:4246',
    APNS_CA_FILE: '/data/messages/authority.pem',
  });
  expect(Object.keys(serviceEnvironment('orders', settings(), servers)).filter((name) => /^(SMTP|MAIL|FCM|APNS)_/.test(name))).toEqual([]);
});

test('a real account for one channel replaces all settings of that channel and leaves the others', () => {
  const own = serviceEnvironment('notifications', settings({ FCM_SERVICE_ACCOUNT_FILE: '/own.json' }), servers);
  expect(own.FCM_SERVICE_ACCOUNT_FILE).toBe('/own.json');
  expect(own.FCM_API_BASE).toBeUndefined();
  expect(own.SMTP_URL).toBe('smtp://127.0.0.1:4245');

  const mail = serviceEnvironment('notifications', settings({ SMTP_URL: 'smtp://mail.example.com' }), servers);
  expect([mail.SMTP_URL, mail.MAIL_FROM]).toEqual(['smtp://mail.example.com', undefined]);
});

test('the claim of another issuer’s ids does not reach the services, which accept tokens of the development issuer', () => {
  expect(
    serviceEnvironment('orders', settings({ AUTH_SUBJECT_CLAIM: 'https://shop.example/id' }), servers).AUTH_SUBJECT_CLAIM,
  ).toBeUndefined();
});

test('the console finds the services, the gateway, the issuer and the simulators', () => {
  const own = consoleEnvironment({ ...settings(), consoleSessionKey: 'key' }, servers.natsUrl);
  expect(own).toMatchObject({
    CONSOLE_URL: 'http://localhost:4005',
    CONSOLE_ISSUER: 'http://127.0.0.1:4243',
    GATEWAY_URL: 'http://127.0.0.1:4000',
    PAYMENTS_SIMULATOR_URL: 'http://127.0.0.1:4242',
    CONSOLE_HEALTH: expect.stringMatching(/(^|,)orders=http:\/\/127\.0\.0\.1:4001,.*gateway=http:\/\/127\.0\.0\.1:4000$/),
    CONSOLE_SESSION_KEYS: 'key',
    DATABASE_URL: undefined,
  });
});

test('only the first gateway gets the port of the metrics, on which one process can listen', () => {
  const given = settings({ METRICS_PORT: '9464' });
  const environments = [
    ...[0, 1].map((replica) => gatewayEnvironment(given, servers.adminUrl, replica)),
    consoleEnvironment(given, servers.natsUrl),
    serviceEnvironment('orders', given, servers),
  ];
  expect(environments.map(({ METRICS_PORT }) => METRICS_PORT)).toEqual(['9464', undefined, undefined, undefined]);
});
