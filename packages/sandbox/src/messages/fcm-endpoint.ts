import { readFcmMessage } from './fcm-message.ts';
import { badRequest, type FieldViolation, jsonOf, refusal, refusalOfToken } from './google-refusal.ts';
import type { GoogleTokens } from './google-tokens.ts';
import type { Deliver } from './inbox.ts';
import type { MessageFaults } from './message-faults.ts';
import { type Reply, unavailableFor } from './send-reply.ts';

interface FcmOptions {
  readonly projectId: string;
  readonly tokens: GoogleTokens;
  readonly faults: MessageFaults;
  readonly deliver: Deliver;
}

const scopes = ['https://www.googleapis.com/auth/firebase.messaging', 'https://www.googleapis.com/auth/cloud-platform'];

export function createFcmEndpoint({ projectId, tokens, faults, deliver }: FcmOptions) {
  return function send(project: string, authorization: string | undefined, body: string): Reply {
    const refused = refusalOfToken(tokens.judge(authorization, scopes));
    if (refused) return refused;
    if (project !== projectId)
      return refusal(403, 'PERMISSION_DENIED', `Permission denied on resource project ${project}.`, fcmError('SENDER_ID_MISMATCH'));

    const parsed = jsonOf(body);
    if (parsed === undefined) return refusal(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received.');
    const message = readFcmMessage(parsed);
    if ('wrong' in message) return invalid(message.wrong);

    const { token, title, text, data, collapseKey, validateOnly } = message;
    if (faults.droppedAt(token)) return unregistered();
    const fault = validateOnly ? undefined : faults.take('fcm', token);
    if (fault?.how === 'unavailable')
      return unavailableFor(fault, refusal(503, 'UNAVAILABLE', 'The service is currently unavailable.', fcmError('UNAVAILABLE')));
    if (fault?.how === 'too_many')
      return unavailableFor(fault, refusal(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded for this device.', fcmError('QUOTA_EXCEEDED')));
    if (fault?.how === 'refused') return unregistered();
    if (fault?.how === 'hang_up') return 'lost';

    if (validateOnly) return { status: 200, body: { name: `projects/${projectId}/messages/fake_message_id` } };
    const { n } = deliver({ channel: 'push', by: 'fcm', to: token, from: null, title, text, html: null, data, collapseKey, headers: {} });
    if (fault?.how === 'hang_up_after') return 'lost';
    return { status: 200, body: { name: `projects/${projectId}/messages/0:${n}` } };
  };
}

const fcmError = (errorCode: string) => ({ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode });

const unregistered = (): Reply => refusal(404, 'NOT_FOUND', 'Requested entity was not found.', fcmError('UNREGISTERED'));

const invalid = (wrong: FieldViolation): Reply =>
  refusal(400, 'INVALID_ARGUMENT', wrong.description, fcmError('INVALID_ARGUMENT'), badRequest(wrong));
