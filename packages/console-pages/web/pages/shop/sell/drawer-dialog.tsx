import { type FormEvent, useState } from 'react';
import { ActionButton, Dialog, Failure, InputField, Loaded, Notice } from '../../../components/index.ts';
import { parsePrice } from '../../../logic/amounts.ts';
import { instant, money, plural } from '../../../logic/format.ts';
import { announce } from '../../../shell/announce.tsx';
import { useStore } from '../../../shell/context.ts';
import { readAgain, useRead } from '../../../shell/queries.ts';
import { send } from '../send.ts';
import { type Drawer, drawerPath } from './sale-operations.ts';
import { cashIn } from './sale-texts.ts';
import type { Waiting } from './waiting.ts';

interface Props {
  readonly currency: string;
  readonly zone: string | undefined;
  readonly waiting: Waiting;
  onClose(): void;
}

export function DrawerDialog({ currency, zone, waiting, onClose }: Props) {
  const { id: store_id } = useStore();
  const read = useRead(drawerPath(store_id), { readAgainFor: { types: ['order.'], subjects: [store_id] } });
  const done = async (text: string) => {
    announce(text);
    await readAgain('/api/v1/orders/drawers');
  };
  const open = async ({ amount }: Typed) => {
    await send('POST /api/v1/orders/drawers', { of: store_id, body: { store_id, float_pence: amount } });
    await done(`The drawer is open with ${money(amount, currency)}.`);
  };
  const payOut = async ({ amount, text }: Typed) => {
    await send('POST /api/v1/orders/drawers/pay-outs', { of: store_id, body: { store_id, amount_pence: amount, reason: text } });
    await done(`${money(amount, currency)} was taken out of the drawer.`);
  };
  const unrecorded = waiting.sales.filter((sale) => cashIn([sale]) > 0);
  const warning =
    unrecorded.length === 0
      ? null
      : `${money(cashIn(unrecorded), currency)} in cash of ${plural(unrecorded.length, 'sale')} on this tablet is not recorded yet: it is in the drawer, and not in what should be in it.`;
  const close = async ({ amount, text }: Typed) => {
    const { drawer } = await send('POST /api/v1/orders/drawers/close', {
      of: store_id,
      body: { store_id, counted_pence: amount, ...(text ? { note: text } : {}) },
    });
    await done(`The drawer is closed. ${differenceText(drawer, currency)}`);
  };
  return (
    <Dialog title="Cash drawer" className="drawer" onClose={onClose}>
      <Loaded of={read}>
        {({ drawers: [latest] }) =>
          latest && latest.closed_at === null ? (
            <>
              <Sums drawer={latest} currency={currency} zone={zone} />
              <DrawerForm
                key={latest.id}
                legend="Take cash out"
                amountLabel="Amount"
                textLabel="What for"
                isTextNeeded
                label="Take out"
                {...{ currency }}
                act={payOut}
              />
              {warning && <Notice text={warning} />}
              <DrawerForm
                legend="Count and close"
                amountLabel="Counted"
                textLabel="Note"
                label="Close the drawer"
                ask={warning && 'Close it before they are recorded?'}
                {...{ currency }}
                act={close}
              />
            </>
          ) : (
            <>
              {latest && (
                <p>
                  The last one was closed by {latest.closed_by?.name ?? 'someone'} at{' '}
                  {instant(latest.closed_at ?? '', 'day and time', undefined, zone)}. {differenceText(latest, currency)}
                </p>
              )}
              <DrawerForm legend="Open the drawer" amountLabel="Cash in it" label="Open the drawer" {...{ currency }} act={open} />
            </>
          )
        }
      </Loaded>
      <div className="dialog-buttons">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

function differenceText({ counted_pence, difference_pence }: Drawer, currency: string): string {
  const difference = difference_pence ?? 0;
  const counted = `${money(counted_pence ?? 0, currency)} counted`;
  if (difference === 0) return `${counted}, as expected.`;
  return `${counted}, ${money(Math.abs(difference), currency)} ${difference < 0 ? 'less' : 'more'} than expected.`;
}

const Sums = ({ drawer, currency, zone }: { readonly drawer: Drawer; readonly currency: string; readonly zone: string | undefined }) => (
  <dl className="sell-drawer">
    {(
      [
        [
          `Opened by ${drawer.opened_by.name ?? 'someone'} at ${instant(drawer.opened_at, 'minute', undefined, zone)} with`,
          drawer.float_pence,
        ],
        ['Taken', drawer.cash_taken_pence],
        ['Refunded', -drawer.cash_refunded_pence],
        ['Taken out', -drawer.paid_out_pence],
        ['Should be in it', drawer.expected_pence],
      ] as const
    ).map(([what, pence]) => (
      <div key={what}>
        <dt>{what}</dt>
        <dd>{money(pence, currency)}</dd>
      </div>
    ))}
  </dl>
);

interface Typed {
  readonly amount: number;
  readonly text: string;
}

interface FormProps {
  readonly legend: string;
  readonly amountLabel: string;
  readonly textLabel?: string;
  readonly isTextNeeded?: boolean;
  readonly label: string;
  readonly currency: string;
  readonly ask?: string | null;
  act(typed: Typed): Promise<void>;
}

function DrawerForm({ legend, amountLabel, textLabel, isTextNeeded = false, label, currency, ask = null, act }: FormProps) {
  const [typed, setTyped] = useState('');
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const amount = parsePrice(typed, currency);
  const [isAsked, setAsked] = useState(false);
  const run = async () => {
    if (amount === null || busy) return;
    setBusy(true);
    setError(undefined);
    try {
      await act({ amount, text: text.trim() });
      setTyped('');
      setText('');
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (ask === null) void run();
    else setAsked(true);
  };
  return (
    <form onSubmit={submit}>
      <fieldset>
        <legend>{legend}</legend>
        <div className="sell-form">
          <InputField label={amountLabel} inputMode="decimal" required value={typed} onType={setTyped} />
          {textLabel && <InputField label={textLabel} required={isTextNeeded} maxLength={140} value={text} onType={setText} />}
          <ActionButton type="submit" busy={busy} aria-busy={busy} disabled={amount === null || (isTextNeeded && text.trim() === '')}>
            {label}
          </ActionButton>
        </div>
        {isAsked && ask !== null && (
          <Notice text={ask}>
            <button
              type="button"
              disabled={amount === null || busy}
              onClick={() => {
                setAsked(false);
                void run();
              }}
            >
              {label} all the same
            </button>
          </Notice>
        )}
        {error === undefined ? null : <Failure error={error} />}
      </fieldset>
    </form>
  );
}
