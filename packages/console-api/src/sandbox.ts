import { z } from 'zod';

/** Development only; elsewhere these are 404. */

/**
 * `GET /api/sandbox`: the controls of the simulators. `POST /api/sandbox/{name}` uses one, with its fields as a JSON body, and returns a
 * sentence that says what was done. A field of kind `store` holds a store's id.
 */
export const Sandbox = z.object({
  controls: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      about: z.string(),
      group: z.enum(['customers', 'payments', 'messages', 'tags', 'wires', 'clock']),
      fields: z.array(
        z.object({
          name: z.string(),
          label: z.string(),
          kind: z.enum(['text', 'number', 'choice', 'store']),
          choices: z.array(z.string()).optional(),
          required: z.boolean(),
        }),
      ),
    }),
  ),
});
export type Sandbox = z.output<typeof Sandbox>;

export const SandboxResult = z.object({ done: z.string() });

/** `GET /api/inbox`: messages sent to the simulated providers, newest first. */
export const Inbox = z.object({
  messages: z.array(
    z.object({ id: z.string(), at: z.string(), channel: z.string(), to: z.string(), subject: z.string().nullable(), text: z.string() }),
  ),
});
export type Inbox = z.output<typeof Inbox>;
