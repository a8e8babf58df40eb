import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import { containerBasics, labelsOf, podBasics, podLabels, secretMode } from './pod.ts';
import { natsAddresses, secretsFolder } from './settings.ts';

const labels = labelsOf('operator', 'operator');

/**
 * Only pods of this component reach NATS as `operator`. A Deployment makes the pod again on another node when its own is drained; `kubectl
 * drain` stops at a pod that nothing would make again.
 */
export const operatorPod: IDeployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'operator', labels },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels: podLabels(labels) },
      spec: {
        ...podBasics,
        serviceAccountName: 'operator',
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
    },
  },
};
