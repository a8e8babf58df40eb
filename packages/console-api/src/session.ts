import { z } from 'zod';

/** A person's permissions: as an operator by scope, as a merchant or staff member in the stores of their token. */
export const permissions = ['operator:read', 'operator:act', 'operator:payload'] as const;
export type Permission = (typeof permissions)[number];

/** `GET /api/me`: the person who is signed in. 401 `UNAUTHENTICATED` without a session. */
export const Me = z.object({
  /** The `sub` of the token, which every record of an action names. */
  subject: z.string(),
  name: z.string(),
  /** `operator` has operator permissions and no stores. */
  kind: z.enum(['operator', 'merchant', 'staff']),
  permissions: z.array(z.enum(permissions)),
  stores: z.array(z.object({ id: z.string(), code: z.string(), name: z.string(), role: z.string() })),
  /** Whether the person may open a shop: its store is in the session after `POST /session/renew`. */
  opens_shops: z.boolean(),
  /** Whether the directory service runs, which the settings and the diary need. */
  directory: z.boolean(),
  /** The origin of the pages that customers open: a store is at `/s/CODE` of it. Null where the deployment names none. */
  shop_url: z.string().nullable(),
  expires_at: z.string(),
  /** Whether this console serves the sandbox and the inbox, and the person may use them. */
  development: z.boolean(),
});
export type Me = z.output<typeof Me>;

/**
 * The response to `POST /sign-out`, which ends the session: the address to go to. `GET /sign-in?to=/path` is a link, not a request of a
 * script: it leaves for the provider, and returns to the path.
 */
export const SignedOut = z.object({ to: z.string() });
export type SignedOut = z.output<typeof SignedOut>;

/**
 * `POST /session/renew`: replaces the token of the session now, so that it includes a store that was opened, or joined by an invitation.
 * 401 `UNAUTHENTICATED` when the session cannot be renewed: the person signs in again.
 */
export const SessionRenewed = z.object({ expires_at: z.string() });
export type SessionRenewed = z.output<typeof SessionRenewed>;

/**
 * The body of every refusal: the platform's `{ code, message, requestId, details? }` under `error`. The console adds three codes:
 * `FOREIGN_ORIGIN`, `OPERATOR_ONLY` and `NOT_FOUND`.
 */
export const Refusal = z.object({
  error: z.object({ code: z.string(), message: z.string(), requestId: z.string().optional(), details: z.unknown().optional() }),
});

/** Names the subject of the person whom a page was opened for: a request is refused once another person has signed in. */
export const personHeader = 'corner-person';
