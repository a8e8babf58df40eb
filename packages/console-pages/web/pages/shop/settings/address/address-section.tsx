import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { Empty, Field, Icon, Section } from '../../../../components/index.ts';
import { plural } from '../../../../logic/format.ts';
import { usePage, useStore } from '../../../../shell/context.ts';
import { useStyle } from '../../../../shell/use-style.ts';
import postersStyle from '../../../../styles/posters.css' with { type: 'text' };
import { sectionPath } from '../sections.ts';
import { SettingsPage } from '../settings-page.tsx';
import { codePath, readTables, shopAddress } from './posters.ts';

export default function AddressSection() {
  const { shop_url: shopUrl } = usePage().me;
  return (
    <SettingsPage title="Your shop’s address" about="Customers order here, by the address or by its code.">
      {shopUrl === null ? (
        <Empty title="This console does not know where customers order">Its operator names that address in SHOP_URL.</Empty>
      ) : (
        <Address shopUrl={shopUrl} />
      )}
    </SettingsPage>
  );
}

function Address({ shopUrl }: { readonly shopUrl: string }) {
  useStyle(postersStyle);
  const store = useStore();
  const [typed, setTyped] = useState('');
  const read = readTables(typed);
  const tables = read.fault === undefined ? read.tables : [];
  const address = shopAddress(shopUrl, store.code);
  return (
    <>
      <div className="card form-card not-printed">
        <p>
          <a href={address} target="_blank" rel="noopener">
            {address}
          </a>
        </p>
        <Field
          label="Tables"
          hint="Leave it empty for one code of the shop. Else a code for each: 1-12, Bar, Terrace 1"
          error={read.fault ?? null}
        >
          {(props) => <input {...props} value={typed} onChange={({ target }) => setTyped(target.value)} />}
        </Field>
        <button type="button" className="primary" disabled={read.fault !== undefined} onClick={() => print()}>
          <Icon name="printer" />
          Print {tables.length === 0 ? 'the code' : plural(tables.length, 'code')}
        </button>
      </div>
      <div className="posters">
        {tables.length === 0 ? (
          <Poster name={store.name} address={address} />
        ) : (
          tables.map((table) => <Poster key={table} name={store.name} address={shopAddress(shopUrl, store.code, table)} table={table} />)
        )}
      </div>
      <div className="not-printed">
        <Section title="At the counter">
          <ul className="bullets">
            <li>The code where people wait: they order and pay on the phone, and get a message when it is ready.</li>
            <li>A code on each table, if you serve there: the order then names the table.</li>
            <li>
              A tag that a phone is held to, for stamps: <Link href={sectionPath(store.id, 'tags')}>Tags</Link>.
            </li>
          </ul>
        </Section>
      </div>
    </>
  );
}

interface PosterProps {
  readonly name: string;
  readonly address: string;
  readonly table?: string;
}

function Poster({ name, address, table }: PosterProps) {
  const { size, path } = useMemo(() => codePath(address), [address]);
  return (
    <article className="poster">
      <h2>{name}</h2>
      {table !== undefined && <p className="poster-table">Table {table}</p>}
      <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={`QR code of ${address}`} shapeRendering="crispEdges">
        <path d={path} />
      </svg>
      <p>Scan to order</p>
      <p className="poster-address">{address.replace(/^https?:\/\//, '')}</p>
    </article>
  );
}
