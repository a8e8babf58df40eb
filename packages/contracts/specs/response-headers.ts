import { z } from 'zod';

const header = (name: string, description: string) =>
  z
    .string()
    .optional()
    .meta({ header: { id: name, description } });

export const requestId = { 'X-Request-Id': header('X-Request-Id', 'The id of the request. Quote it when you ask for help.') };
export const replayed = {
  'Idempotent-Replayed': header('Idempotent-Replayed', '`true` when this repeats the response of an earlier request with the same key.'),
};
export const retryAfter = { 'Retry-After': header('Retry-After', 'Seconds to wait before the request is worth repeating.') };
export const rateLimit = {
  'RateLimit-Policy': header('RateLimit-Policy', 'The quotas that apply, in the format of draft-ietf-httpapi-ratelimit-headers-10.'),
  RateLimit: header('RateLimit', 'What is left of each quota, and the seconds until it is refilled.'),
};
export const entityTag = {
  ETag: header('ETag', 'Names this state of the reply. Send it in If-None-Match to get 304 while the reply is the same.'),
};
export const deprecation = {
  Deprecation: header('Deprecation', 'Since when the operation is deprecated: `@` and seconds since 1970 (RFC 9745).'),
  Sunset: header('Sunset', 'From when it may be gone (RFC 8594).'),
  Link: header('Link', 'The page of the reference about it, with `rel="deprecation"`.'),
};
