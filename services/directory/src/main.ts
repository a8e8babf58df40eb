import { run, startService } from '@corner/chassis';
import { readDirectoryConfig } from './config.ts';
import { directoryService } from './service.ts';

await run('directory', readDirectoryConfig, () => {
  const config = readDirectoryConfig();
  return startService(directoryService(config), config);
});
