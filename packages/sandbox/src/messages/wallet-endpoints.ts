import { badRequest, jsonOf, refusal, refusalOfToken } from './google-refusal.ts';
import type { GoogleTokens } from './google-tokens.ts';
import type { Deliver } from './inbox.ts';
import type { MessageFaults } from './message-faults.ts';
import { type Reply, unavailableFor } from './send-reply.ts';
import { patched, readWalletResource, type WalletKind, type WalletResource } from './wallet-resource.ts';

interface WalletOptions {
  readonly issuerId: string;
  readonly tokens: GoogleTokens;
  readonly faults: MessageFaults;
  readonly deliver: Deliver;
}

export interface WalletCall {
  readonly method: string;
  readonly kind: WalletKind;
  readonly id: string | null;
  readonly authorization: string | undefined;
  readonly body: string;
}

const scopes = ['https://www.googleapis.com/auth/wallet_object.issuer'];
const named = { loyaltyClass: 'Wallet Object Class', loyaltyObject: 'Wallet Object' } as const;

export function createWalletEndpoints({ issuerId, tokens, faults, deliver }: WalletOptions) {
  const kept = { loyaltyClass: new Map<string, WalletResource>(), loyaltyObject: new Map<string, WalletResource>() };

  return function handleRequest({ method, kind, id, authorization, body }: WalletCall): Reply {
    const refused = refusalOfToken(tokens.judge(authorization, scopes));
    if (refused) return refused;
    if (id === null ? method !== 'POST' : method !== 'GET' && method !== 'PATCH')
      return refusal(404, 'NOT_FOUND', 'The requested URL was not found on this server.');
    if (id !== null && !id.startsWith(`${issuerId}.`)) return refusal(403, 'PERMISSION_DENIED', 'Permission Denied');
    const present = id === null ? undefined : kept[kind].get(id);
    if (id !== null && !present) return notFound(kind, id);
    if (method === 'GET') return { status: 200, body: present };

    const given = jsonOf(body);
    if (given === undefined) return refusal(400, 'INVALID_ARGUMENT', 'Invalid JSON payload received.');
    const read = readWalletResource(kind, present ? patched(present, given) : given);
    if ('wrong' in read) return refusal(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.', badRequest(read.wrong));
    return keep(kind, read.resource, present);
  };

  function keep(kind: WalletKind, resource: WalletResource, present: WalletResource | undefined): Reply {
    const { id, classId } = resource;
    if (present && id !== present.id) return refusal(400, 'INVALID_ARGUMENT', `Invalid resource ID: ${id}.`);
    if (!id.startsWith(`${issuerId}.`)) return refusal(403, 'PERMISSION_DENIED', 'Permission Denied');
    if (!present && kept[kind].has(id)) return refusal(409, 'ALREADY_EXISTS', `${named[kind]} ${id} already exists.`);
    const ofClass = kind === 'loyaltyObject' ? kept.loyaltyClass.get(String(classId)) : undefined;
    if (kind === 'loyaltyObject' && !ofClass) return notFound('loyaltyClass', String(classId));

    const fault = faults.take('google-wallet', id);
    if (fault?.how === 'unavailable') return unavailableFor(fault, refusal(503, 'UNAVAILABLE', 'The service is currently unavailable.'));
    if (fault?.how === 'too_many') return unavailableFor(fault, refusal(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded.'));
    if (fault?.how === 'refused') return refusal(403, 'PERMISSION_DENIED', 'Permission Denied');
    if (fault?.how === 'hang_up') return 'lost';
    kept[kind].set(id, resource);
    if (ofClass) deliver(messageOf(resource, ofClass));
    return fault?.how === 'hang_up_after' ? 'lost' : { status: 200, body: resource };
  }
}

const notFound = (kind: WalletKind, id: string): Reply => refusal(404, 'NOT_FOUND', `${named[kind]} ${id} not found.`);

function messageOf(object: WalletResource, ofClass: WalletResource): Parameters<Deliver>[0] {
  const { label = 'Points', balance = {} } = (object.loyaltyPoints ?? {}) as {
    label?: string;
    balance?: Readonly<Record<string, unknown>>;
  };
  const [points = ''] = Object.values(balance);
  return {
    channel: 'wallet',
    by: 'google-wallet',
    to: object.id,
    from: null,
    title: String(ofClass.programName),
    text: `${label}: ${typeof points === 'object' ? JSON.stringify(points) : points} (${object.state})`,
    html: null,
    data: object,
    collapseKey: object.id,
    headers: {},
  };
}
