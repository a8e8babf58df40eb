import { apnsServer, type NotificationsConfig, webPushSettings } from '../../config.ts';
import { type ApnsSettings, openApns } from './apns.ts';
import type { Channels } from './channel.ts';
import { openEmail } from './email.ts';
import { openFcm } from './fcm.ts';
import { openTwilio } from './twilio.ts';
import { openWebPush } from './web-push.ts';

export function openChannels(config: NotificationsConfig, now: () => Date): Channels {
  const {
    SMTP_URL: url,
    MAIL_FROM: from,
    MAIL_DKIM_DOMAIN: domain,
    MAIL_DKIM_SELECTOR: selector,
    MAIL_DKIM_KEY_FILE: key,
    FCM_SERVICE_ACCOUNT_FILE: account,
    FCM_API_BASE: apiBase = 'https://fcm.googleapis.com',
    TWILIO_ACCOUNT_SID: accountSid,
    TWILIO_AUTH_TOKEN: authToken,
    TWILIO_FROM: number,
    TWILIO_API_BASE: twilioBase,
    PUBLIC_BASE_URL: baseUrl,
  } = config;
  const apns = apnsSettings(config);
  const dkim = domain && selector && key ? { domain, selector, key } : null;
  const webPush = webPushSettings(config);
  const twilio = { apiBase: twilioBase, webhook: baseUrl ? `${baseUrl}/webhooks/twilio` : null };
  const firebase = account && openFcm({ account, apiBase }, now);
  return {
    ...(url && from ? { email: openEmail({ url, from, dkim }) } : {}),
    ...(apns ? { ios: openApns(apns, now) } : {}),
    ...(firebase ? { android: firebase, web: firebase } : {}),
    ...(webPush ? { subscription: openWebPush(webPush, now) } : {}),
    ...(accountSid && authToken && number ? { sms: openTwilio({ ...twilio, accountSid, authToken, from: number }, now) } : {}),
  };
}

function apnsSettings(config: NotificationsConfig): ApnsSettings | null {
  const { APNS_KEY_FILE: key, APNS_KEY_ID: keyId, APNS_TEAM_ID: teamId, APNS_TOPIC: topic } = config;
  return key && keyId && teamId && topic ? { key, keyId, teamId, topic, ...apnsServer(config) } : null;
}
