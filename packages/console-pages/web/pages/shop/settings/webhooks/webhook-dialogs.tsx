import { ConfirmWithReason, Instant } from '../../../../components/index.ts';
import { announce } from '../../../../shell/announce.tsx';
import { useZone } from '../../operations.ts';
import { SecretDialog } from '../secret-dialog.tsx';
import { endWebhook, rotateSecret, type SecretReply } from './webhook-operations.ts';
import { nameOf, type Webhook } from './webhooks.ts';

interface Props {
  readonly storeId: string;
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export function WebhookSecret({ of: { webhook, secret }, onClose }: { readonly of: SecretReply; readonly onClose: () => void }) {
  const zone = useZone();
  return (
    <SecretDialog title={`The secret of ${nameOf(webhook)}`} values={{ Secret: secret }} done="It is stored" onClose={onClose}>
      <p>Your system checks with it that a request is ours. It is shown only now: store it where your system reads it.</p>
      {webhook.old_secret_until && (
        <p>
          Requests are signed with the old one too until <Instant at={webhook.old_secret_until} zone={zone} />.
        </p>
      )}
    </SecretDialog>
  );
}

export function RotateDialog({ storeId, webhook, onClose, onSecret }: Props & { readonly onSecret: (reply: SecretReply) => void }) {
  const act = async (_: string, key: string) => onSecret(await rotateSecret(storeId, webhook.id, key));
  return (
    <ConfirmWithReason title={`Rotate the secret of ${nameOf(webhook)}`} label="Rotate" reason={false} act={act} onClose={onClose}>
      <p>A new secret is made. For a day requests are signed with both, so that your system can change over without losing an event.</p>
    </ConfirmWithReason>
  );
}

export function EndDialog({ storeId, webhook, onClose }: Props) {
  const act = async (_: string, key: string) => {
    await endWebhook(storeId, webhook.id, key);
    announce(`${nameOf(webhook)} has ended.`);
  };
  return (
    <ConfirmWithReason title={`End ${nameOf(webhook)}`} label="End" danger reason={false} act={act} onClose={onClose}>
      <p>Nothing more is sent, and no event gets a number. Its events can be read for thirty days.</p>
    </ConfirmWithReason>
  );
}
