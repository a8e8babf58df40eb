import { useState } from 'preact/hooks';

interface PictureProps {
  readonly url: string | null;
  readonly small?: boolean;
}

/** Loads only a picture of this origin, so that no other origin learns who looks. */
export function Picture({ url, small = false }: PictureProps) {
  const [broken, setBroken] = useState(false);
  if (url === null || broken || URL.parse(url, location.origin)?.origin !== location.origin) return null;
  return (
    <img
      class={small ? 'picture small' : 'picture'}
      src={url}
      alt=""
      loading="lazy"
      decoding="async"
      width={small ? 96 : 640}
      height={small ? 96 : 360}
      onError={() => setBroken(true)}
    />
  );
}
