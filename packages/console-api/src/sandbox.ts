import { z } from 'zod';

/** Development only; elsewhere these are 404. */

/** `GET /api/sandbox`: the controls of the simulators. */
export const Sandbox = z.object({
  controls: z.array(
    z.object({
      /** `POST /api/sandbox/{name}` with the fields as a JSON body. */
      name: z.string(),
      title: z.string(),
      about: z.string(),
      group: z.enum(['customers', 'payments', 'messages', 'tags', 'wires', 'clock']),
      fields: z.array(
        z.object({
          name: z.string(),
          label: z.string(),
          /** `store` is the id of a store: the page offers the person's own. */
          kind: z.enum(['text', 'number', 'choice', 'store']),
          choices: z.array(z.string()).optional(),
          required: z.boolean(),
        }),
      ),
    }),
  ),
});
export type Sandbox = z.output<typeof Sandbox>;

/** The response of a control: a sentence that says what was done. */
export const SandboxResult = z.object({ done: z.string() });

/** `GET /api/inbox`: what the simulated providers were sent, newest first. */
export const Inbox = z.object({
  messages: z.array(
    z.object({ id: z.string(), at: z.string(), channel: z.string(), to: z.string(), subject: z.string().nullable(), text: z.string() }),
  ),
});
export type Inbox = z.output<typeof Inbox>;
