import { z } from 'zod';

/**
 * `GET /shop.json`: settings of a shop's pages. `payments` is where they are paid: Stripe; a simulator of it, with Stripe's interface for
 * devices; or null where payments are off. `accounts`: whether a customer can sign in.
 */
export const ShopSettings = z.object({
  payments: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('stripe'), publishable_key: z.string() }),
      z.object({ kind: z.literal('sandbox'), url: z.string(), publishable_key: z.string() }),
    ])
    .nullable(),
  accounts: z.boolean(),
});
export type ShopSettings = z.output<typeof ShopSettings>;

/** The state of a sign-in, which the page keeps until the provider sends the browser back. */
const SignInAsked = z.object({ state: z.string().max(512), nonce: z.string().max(512), verifier: z.string().max(512) });
export type SignInAsked = z.output<typeof SignInAsked>;

/** `POST /sign-in`: the address of the provider to which the page sends the browser. */
export const SignInBegun = z.object({ url: z.string(), asked: SignInAsked });
export type SignInBegun = z.output<typeof SignInBegun>;

/**
 * The body of `POST /sign-in/finish`: the query with which the browser returned, and the state that the page kept. The response is {@link
 * SignInConfirmed}, with the ID token that the page exchanges by the operation exchangeToken.
 */
export const SignInReturned = z.object({ search: z.string().startsWith('?').max(8_192), asked: SignInAsked });

export const SignInConfirmed = z.object({ id_token: z.string().min(1) });
export type SignInConfirmed = z.output<typeof SignInConfirmed>;
