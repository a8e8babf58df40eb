import { z } from 'zod';

/**
 * Pictures are uploaded here with `?store_id=`, and read by their hash. Their bytes are no JSON, so neither is an operation; menus and
 * logos name the address of one.
 */
export const picturesPath = '/api/v1/directory/pictures';
export const maxPictureBytes = 1024 * 1024;

export const UploadedPicture = z.object({
  hash: z.string().describe('The sha-256 of its bytes, in hexadecimal: the same picture always has the same.'),
  url: z.string().describe('Its path at the gateway. What is there never changes.'),
  type: z.enum(['image/png', 'image/jpeg', 'image/webp']).describe('As its bytes say.'),
});
export type UploadedPicture = z.output<typeof UploadedPicture>;
