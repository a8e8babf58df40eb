import { Empty } from '../../../../components/index.ts';
import { dayNames } from '../../../../logic/week.ts';
import type { Floor } from '../offer-objects.ts';
import { rotaOf } from './rota.ts';

export const Rota = ({ chairs }: { readonly chairs: Floor['units'] }) =>
  chairs.length === 0 ? (
    <Empty title="No chair is staffed." />
  ) : (
    <ul className="rota">
      {chairs.map((chair, index) => (
        <li key={chair.id}>
          <h3>{chair.name || `Chair ${index + 1}`}</h3>
          <ul>
            {rotaOf(chair).map(({ shifts, breaks }, day) => (
              <li key={dayNames[day]} className={shifts.length === 0 ? 'off' : ''}>
                <b>{dayNames[day]?.slice(0, 3)}</b>
                {shifts.length === 0 ? <span className="quiet">off</span> : shifts.map((text) => <span key={text}>{text}</span>)}
                {shifts.length > 0 && breaks.map((text) => <span key={text} className="quiet">{`break ${text}`}</span>)}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
