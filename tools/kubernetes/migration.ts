import type { IJob } from 'kubernetes-models/batch/v1/Job';
import { containerBasics, labelsOf, podBasics, podLabels, secretMode } from './pod.ts';
import { type MigratedName, migrationSettings, secretsFolder } from './settings.ts';

/** The address of the administrator is in a Secret of its own, so that no service's pod has it. */
const secretFiles = (name: MigratedName) => ({
  name: 'secrets',
  projected: {
    defaultMode: secretMode,
    sources: [
      { secret: { name, items: [{ key: 'DATABASE_URL', path: 'DATABASE_URL' }] } },
      { secret: { name: 'migrations', items: [{ key: `${name.toUpperCase()}_DATABASE_URL`, path: 'MIGRATION_DATABASE_URL' }] } },
    ],
  },
});

export const migration = (name: MigratedName): IJob => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: `${name}-migrations`, labels: labelsOf(name, 'migration') },
  spec: {
    backoffLimit: 3,
    activeDeadlineSeconds: 900,
    template: {
      metadata: { labels: podLabels(labelsOf(name, 'migration')) },
      spec: {
        ...podBasics,
        serviceAccountName: 'migrations',
        restartPolicy: 'Never',
        containers: [
          {
            ...containerBasics,
            name: 'migrations',
            image: `corner/${name}`,
            command: ['node', 'dist/migrate.js'],
            env: Object.entries(migrationSettings).map(([setting, value]) => ({ name: setting, value })),
            resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '256Mi' } },
            volumeMounts: [{ name: 'secrets', mountPath: secretsFolder, readOnly: true }],
          },
        ],
        volumes: [secretFiles(name)],
      },
    },
  },
});
