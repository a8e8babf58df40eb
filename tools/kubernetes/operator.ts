import type { IPod } from 'kubernetes-models/v1/Pod';
import { containerBasics, labelsOf, podBasics, secretMode } from './pod.ts';
import { natsAddresses, secretsFolder } from './settings.ts';

/** The pod in which operators run the command line, as the user `operator`: only pods of that component reach NATS. */
export const operatorPod: IPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'operator', labels: labelsOf('operator', 'operator') },
  spec: {
    ...podBasics,
    serviceAccountName: 'operator',
    restartPolicy: 'Never',
    // `sleep` ignores SIGTERM as the first process of a container.
    terminationGracePeriodSeconds: 1,
    containers: [
      {
        ...containerBasics,
        name: 'operator',
        image: 'corner/cli',
        command: ['sleep', 'infinity'],
        env: [
          { name: 'NATS_URL', value: natsAddresses },
          { name: 'NATS_USER', value: 'operator' },
          { name: 'NATS_PASSWORD_FILE', value: `${secretsFolder}/NATS_PASSWORD` },
        ],
        resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '256Mi' } },
        volumeMounts: [{ name: 'secrets', mountPath: secretsFolder, readOnly: true }],
      },
    ],
    volumes: [
      {
        name: 'secrets',
        secret: { secretName: 'operator', defaultMode: secretMode, items: [{ key: 'NATS_PASSWORD', path: 'NATS_PASSWORD' }] },
      },
    ],
  },
};
