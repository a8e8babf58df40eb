import { useState } from 'react';
import { Ago, Badge, Choice, ConfirmWithReason, Empty, Field, Id, Loaded, Page, Section } from '../../../components/index.ts';
import { plural } from '../../../logic/format.ts';
import { manages } from '../../../logic/roles.ts';
import { announce } from '../../../shell/announce.tsx';
import { useStore } from '../../../shell/context.ts';
import { readAgain, useRead } from '../../../shell/queries.ts';
import { type AddedPrinter, addPrinter, type Printer, type PrinterLanguage, printersPath, removePrinter } from '../printer-operations.ts';
import { PrintHereSwitch } from './print-here.tsx';
import { statusWords } from './printers.ts';

const readEveryMs = 15_000;

export default function PrintersPage() {
  const store = useStore();
  const path = printersPath(store.id);
  const read = useRead(path, { every: readEveryMs });
  const isManager = manages(store.role);
  const [adding, add] = useState(false);
  const [added, setAdded] = useState<AddedPrinter | null>(null);
  const [removing, remove] = useState<Printer | null>(null);
  const button = isManager && (
    <button type="button" className="primary" aria-haspopup="dialog" onClick={() => add(true)}>
      Add a printer
    </button>
  );
  return (
    <Page title="Printers" about="Each printer prints a ticket for every order that is paid." controls={button}>
      {added && <Address added={added} />}
      <Loaded of={read}>
        {({ printers }) =>
          printers.length === 0 ? (
            <Empty title="No printer yet.">A printer that speaks Star CloudPRNT needs no computer beside it.</Empty>
          ) : (
            <ul className="cards">
              {printers.map((printer) => (
                <li key={printer.id} className="card" data-printer={printer.id}>
                  <PrinterState printer={printer} />
                  {isManager && (
                    <button type="button" aria-haspopup="dialog" onClick={() => remove(printer)}>
                      Remove<span className="unseen"> {printer.name}</span>
                    </button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <Section title="This browser">
        <PrintHereSwitch />
      </Section>
      {adding && <AddDialog storeId={store.id} onAdded={setAdded} onClose={() => add(false)} />}
      {removing && <RemoveDialog storeId={store.id} printer={removing} onClose={() => remove(null)} />}
    </Page>
  );
}

const tones = { online: 'good', away: 'warn', error: 'bad' } as const;

const PrinterState = ({ printer }: { readonly printer: Printer }) => (
  <div>
    <h2 className="card-title">{printer.name}</h2>
    <p className="order-marks">
      <Badge tone={tones[printer.status]}>{statusWords[printer.status]}</Badge>
      {printer.detail && <span>{printer.detail}</span>}
      <span className="quiet">
        {printer.last_seen_at ? (
          <>
            seen <Ago at={printer.last_seen_at} />
          </>
        ) : (
          'not seen yet'
        )}
      </span>
      {printer.tickets_waiting > 0 && <span>{plural(printer.tickets_waiting, 'ticket')} to print</span>}
      {printer.tickets_not_printed > 0 && <Badge tone="bad">{plural(printer.tickets_not_printed, 'ticket')} not printed today</Badge>}
    </p>
  </div>
);

const Address = ({ added: { printer, url_path } }: { readonly added: AddedPrinter }) => (
  <div className="notice info" role="status">
    <p>
      {printer.name} is added. In its settings, under CloudPRNT, enter the address at which your apps reach Corner, followed by this path.
      It is shown only now, and anyone who has it can read your orders.
    </p>
    <Id value={url_path} what="path" whole />
  </div>
);

const languages = [
  ['en', 'English'],
  ['fr', 'French'],
] as const satisfies readonly (readonly [PrinterLanguage, string])[];

interface DialogProps {
  readonly storeId: string;
  onClose(): void;
}

function AddDialog({ storeId, onAdded, onClose }: DialogProps & { onAdded(added: AddedPrinter): void }) {
  const [name, setName] = useState('');
  const [language, setLanguage] = useState<string>('en');
  const act = async (_: string, key: string) => {
    onAdded(await addPrinter(storeId, name.trim(), language as PrinterLanguage, key));
    await readAgain(printersPath(storeId));
  };
  return (
    <ConfirmWithReason title="Add a printer" label="Add" reason={false} act={act} onClose={onClose}>
      <Field label="Name" hint="What people call it, for example Kitchen.">
        {(props) => <input {...props} required maxLength={64} value={name} onChange={({ target }) => setName(target.value)} />}
      </Field>
      <Choice label="Language of its tickets" value={language} options={languages} onChoose={setLanguage} />
    </ConfirmWithReason>
  );
}

function RemoveDialog({ storeId, printer, onClose }: DialogProps & { readonly printer: Printer }) {
  const act = async (_: string, key: string) => {
    await removePrinter(storeId, printer.id, key);
    announce(`${printer.name} is removed.`);
    await readAgain(printersPath(storeId));
  };
  return (
    <ConfirmWithReason title={`Remove ${printer.name}`} label="Remove" danger reason={false} act={act} onClose={onClose}>
      <p>Its address stops working at once, and tickets that wait for it are not printed.</p>
    </ConfirmWithReason>
  );
}
