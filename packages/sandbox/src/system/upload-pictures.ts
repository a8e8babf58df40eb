import { picturesPath } from '@corner/contracts';
import { demoBearers, demoPictures, stores } from '../demo/index.ts';
import type { Tokens } from '../issuer/tokens.ts';

export async function uploadPictures(gatewayUrl: string, tokens: Tokens): Promise<void> {
  const headers = { authorization: `Bearer ${await tokens.token(demoBearers.bo)}`, 'content-type': 'image/webp' };
  await Promise.all(
    demoPictures().map(async (body) => {
      const response = await fetch(`${gatewayUrl}${picturesPath}?store_id=${stores.coffee.id}`, { method: 'POST', headers, body });
      if (!response.ok) throw new Error(`a picture of the demo was refused: ${await response.text()}`);
    }),
  );
}
