/** The push services of Chrome, Firefox, Safari and Edge. A name that begins with `*.` stands for every host below it. */
const servicesOfBrowsers = ['fcm.googleapis.com', '*.push.services.mozilla.com', '*.push.apple.com', '*.notify.windows.com'];

/**
 * Returns whether an endpoint, which a stranger chose, may be called: https at a service of a browser, or at one of `more`. These are host
 * names like the above, or whole origins such as http://127.0.0.1:8080.
 */
export function isAtPushService(endpoint: string, more: readonly string[]): boolean {
  const url = URL.parse(endpoint);
  if (url?.username !== '' || url.password !== '') return false;
  return [...servicesOfBrowsers, ...more].some((service) => {
    if (service.includes('://')) return url.origin === service;
    const named = service.startsWith('*.') ? url.hostname.endsWith(service.slice(1)) : url.hostname === service;
    return named && url.protocol === 'https:' && url.port === '';
  });
}
