import { z } from 'zod';

/**
 * `GET /shop.json`: what the server of a shop's pages says to them. `payments` is where they are paid: Stripe; a simulator of
 * it, whose interface is Stripe's for devices; or null where nothing can be paid.
 */
export const ShopSettings = z.object({
  payments: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('stripe'), publishable_key: z.string() }),
      z.object({ kind: z.literal('sandbox'), url: z.string(), publishable_key: z.string() }),
    ])
    .nullable(),
  /** Whether a customer can sign in with an account. */
  accounts: z.boolean(),
});
export type ShopSettings = z.output<typeof ShopSettings>;

/** What a page keeps of a sign-in until the provider sends the browser back. */
const SignInAsked = z.object({ state: z.string().max(512), nonce: z.string().max(512), verifier: z.string().max(512) });
export type SignInAsked = z.output<typeof SignInAsked>;

/** `POST /sign-in`: the address of the provider to which the page sends the browser. */
export const SignInBegun = z.object({ url: z.string(), asked: SignInAsked });
export type SignInBegun = z.output<typeof SignInBegun>;

/** The body of `POST /sign-in/finish`: the query with which the browser came back, and what the page has kept. */
export const SignInReturned = z.object({ search: z.string().startsWith('?').max(8_192), asked: SignInAsked });

/** Its reply: the ID token, which the page exchanges by the operation exchangeToken. */
export const SignInConfirmed = z.object({ id_token: z.string().min(1) });
export type SignInConfirmed = z.output<typeof SignInConfirmed>;
