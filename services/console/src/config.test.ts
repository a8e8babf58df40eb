import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { readConsoleConfig } from './config.ts';
import { readSandboxConfig } from './sandbox/config.ts';

const key = randomBytes(32);
const settings = {
  CONSOLE_URL: 'https://console.example',
  GATEWAY_URL: 'https://api.example',
  NATS_URL: 'nats://nats:4222',
  AUTH_ISSUER: 'https://issuer.example',
  AUTH_JWKS_URL: 'https://issuer.example/jwks',
  CONSOLE_CLIENT_ID: 'console',
  CONSOLE_SESSION_KEYS: key.toString('base64'),
};

test('seven settings are enough; the keys are parsed, and the issuer of the tokens signs people in', () => {
  const config = readConsoleConfig(settings);
  expect(config).toMatchObject({ CONSOLE_URL: 'https://console.example', TRUSTED_PROXIES: [] });
  expect(config.CONSOLE_SESSION_KEYS).toEqual([key]);
});

test('every wrong setting is named in one error, without the value of a secret', () => {
  const wrong = {
    ...settings,
    CONSOLE_URL: 'http://console.example',
    GATEWAY_URL: 'nonsense',
    NATS_URL: undefined,
    CONSOLE_SESSION_KEYS: 'short',
  };
  const read = () => readConsoleConfig(wrong);
  expect(read).toThrow(
    /4 faults[\s\S]*NATS_URL: is required[\s\S]*CONSOLE_URL: must be https[\s\S]*GATEWAY_URL[\s\S]*CONSOLE_SESSION_KEYS/,
  );
  expect(read).not.toThrow('short');
});

test('a service that every deployment runs cannot be left out', () => {
  expect(readConsoleConfig({ ...settings, SERVICES_LEFT_OUT: 'directory' }).SERVICES_LEFT_OUT).not.toContain('directory');
  expect(() => readConsoleConfig({ ...settings, SERVICES_LEFT_OUT: 'directory, queue' })).toThrow(/SERVICES_LEFT_OUT: .*queue/);
});

test('addresses of traces and logs name the trace, or the console does not start', () => {
  const TRACE_URL = 'https://jaeger.example/trace/{trace_id}';
  expect(readConsoleConfig({ ...settings, TRACE_URL })).toMatchObject({ TRACE_URL });
  const wrong = { ...settings, TRACE_URL: 'https://jaeger.example/', LOG_URL: 'ftp://logs.example/{trace_id}' };
  expect(() => readConsoleConfig(wrong)).toThrow(/2 faults[\s\S]*TRACE_URL: must have \{trace_id\}[\s\S]*LOG_URL: must be an http/);
});

test('an issuer whose name is no address needs the address that signs people in', () => {
  expect(() => readConsoleConfig({ ...settings, AUTH_ISSUER: 'corner-development' })).toThrow(/CONSOLE_ISSUER: is required/);
});

test('production starts with seven settings of its own, and refuses the key that docker-compose.yml publishes', () => {
  const production = { ...settings, NODE_ENV: 'production' };
  expect(readConsoleConfig(production).GATEWAY_URL).toBe('https://api.example');
  const published = readFileSync(`${import.meta.dirname}/../../../deploy/trial-secrets/console-session-keys`, 'utf8').trim();
  const rotated = `${settings.CONSOLE_SESSION_KEYS},${published}`;
  expect(() => readConsoleConfig({ ...production, CONSOLE_SESSION_KEYS: rotated })).toThrow(
    /CONSOLE_SESSION_KEYS: .*refused in production/,
  );
});

test('production refuses the controls of the simulators', () => {
  const simulated = { ...settings, NODE_ENV: 'production', PAYMENTS_SIMULATOR_URL: 'http://payments:4010' };
  expect(() => readSandboxConfig(simulated)).toThrow(/PAYMENTS_SIMULATOR_URL/);
  expect(readSandboxConfig({ ...simulated, TRIAL: '1' }).PAYMENTS_SIMULATOR_URL).toBe('http://payments:4010');
  expect(readConsoleConfig(simulated)).not.toHaveProperty('PAYMENTS_SIMULATOR_URL');
});

test('production refuses an issuer that is reached without TLS', () => {
  const production = { ...settings, NODE_ENV: 'production' };
  expect(() => readConsoleConfig({ ...production, CONSOLE_ISSUER: 'http://issuer.example' })).toThrow(/CONSOLE_ISSUER/);
  const named = { ...production, AUTH_ISSUER: 'HTTP://issuer.example' };
  expect(() => readConsoleConfig(named)).toThrow(/AUTH_ISSUER: signs people in without TLS/);
  expect(readConsoleConfig({ ...named, CONSOLE_ISSUER: 'https://issuer.example' }).CONSOLE_ISSUER).toBeDefined();
  expect(readConsoleConfig({ ...production, TRIAL: '1', CONSOLE_ISSUER: 'http://issuer.example' }).CONSOLE_ISSUER).toBeDefined();
});
