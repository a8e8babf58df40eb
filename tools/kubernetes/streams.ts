import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import { containerBasics, labelsOf, podBasics, podLabels, secretMode, spread } from './pod.ts';
import { probe, serviceAccount } from './process.ts';
import { natsAddresses, natsServers, ports, secretsFolder } from './settings.ts';

const labels = labelsOf('streams', 'streams');

const deployment: IDeployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'streams', labels },
  spec: {
    replicas: 1,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels: podLabels(labels) },
      spec: {
        ...podBasics,
        serviceAccountName: 'streams',
        topologySpreadConstraints: spread(labels, 'ScheduleAnyway'),
        containers: [
          {
            ...containerBasics,
            name: 'streams',
            image: 'corner/cli',
            command: ['node', 'dist/main.js', 'streams', '--json'],
            env: [
              { name: 'NATS_URL', value: natsAddresses },
              { name: 'NATS_USER', value: 'streams' },
              { name: 'NATS_PASSWORD_FILE', value: `${secretsFolder}/NATS_PASSWORD` },
              { name: 'NATS_REPLICAS', value: String(natsServers.length) },
            ],
            ports: [{ name: 'probes', containerPort: ports.http }],
            // The process waits half a minute for NATS, then ends and is started again.
            startupProbe: probe('/livez', 2, 60, 'probes'),
            livenessProbe: probe('/livez', 10, 3, 'probes'),
            readinessProbe: probe('/readyz', 5, 2, 'probes'),
            resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { cpu: '1', memory: '256Mi' } },
            volumeMounts: [{ name: 'secrets', mountPath: secretsFolder, readOnly: true }],
          },
        ],
        volumes: [
          {
            name: 'secrets',
            secret: { secretName: 'streams', defaultMode: secretMode, items: [{ key: 'NATS_PASSWORD', path: 'NATS_PASSWORD' }] },
          },
        ],
      },
    },
  },
};

export const streamsManifests = () => [serviceAccount('streams'), deployment];
