import { Link } from 'wouter';
import { Notice } from '../../../components/index.ts';
import { pathOf } from '../../../logic/match-route.ts';
import { useStore } from '../../../shell/context.ts';
import { useRead } from '../../../shell/queries.ts';
import { useZone } from '../operations.ts';
import { printersPath } from '../printer-operations.ts';
import { faultText } from './printers.ts';

/** A printer polls every few seconds, and no event announces that it stopped. */
const readEveryMs = 30_000;

export const usePrinters = () => useRead(printersPath(useStore().id), { every: readEveryMs }).data?.printers ?? [];

export function PrinterFaults() {
  const { id: storeId } = useStore();
  const zone = useZone();
  const faults = usePrinters().flatMap((printer) => faultText(printer, zone) ?? []);
  return (
    <Notice text={faults.length > 0 ? faults.join(' ') : null}>
      <Link href={pathOf('/shop/:storeId/printers', { storeId })}>Printers</Link>
    </Notice>
  );
}
