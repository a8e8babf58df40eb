export interface StreamedBlock {
  readonly id?: string | undefined;
  readonly data?: string | undefined;
  readonly retryMs?: number | undefined;
}

/**
 * Yields each block of a stream when it is complete. Ends with the stream; an incomplete block is dropped. A block with comments only has
 * no fields.
 */
export async function* blocksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedBlock> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      const blocks = rest.split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield readBlock(block);
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function readBlock(block: string): StreamedBlock {
  const values = (field: string): string[] =>
    block.split(/\r?\n/).flatMap((line) => (line.startsWith(`${field}:`) ? [line.slice(field.length + 1).replace(/^ /, '')] : []));
  const data = values('data');
  const retry = values('retry').at(-1);
  return {
    id: values('id').at(-1),
    data: data.length > 0 ? data.join('\n') : undefined,
    retryMs: retry !== undefined && /^\d+$/.test(retry) ? Number(retry) : undefined,
  };
}
