import { useState } from 'react';
import {
  Choice,
  ConfirmWithReason,
  Dialog,
  InputField,
  Linked,
  Moment,
  type MomentChoice,
  Notice,
  type Options,
} from '../../../components/index.ts';
import { manages } from '../../../logic/roles.ts';
import { announce } from '../../../shell/announce.tsx';
import { useStore } from '../../../shell/context.ts';
import { addWalkIn, type QueueReply, switchWalkIns, type WalkIns } from '../queue-operations.ts';
import { refusalText } from '../refusal-text.ts';
import { timeText } from '../timing.ts';
import { addingFault, walkInsText } from './queue-moves.ts';
import { readQueueAgain } from './use-moves.ts';

export function WalkInsSwitch({ walkIns, zone }: { readonly walkIns: WalkIns; readonly zone: string | undefined }) {
  const { id: storeId } = useStore();
  const [refused, setRefused] = useState<string | null>(null);
  const turn = async (open: boolean, until: string | null) => {
    await switchWalkIns(storeId, open, until);
    await readQueueAgain();
    return open ? 'Walk-ins can join.' : 'Walk-ins are switched off.';
  };
  const choice = (label: string, open: boolean, until: string | null = null): MomentChoice => ({
    label,
    async act() {
      setRefused(null);
      try {
        announce(await turn(open, until), () => turn(walkIns.open, walkIns.until));
      } catch (error) {
        setRefused(refusalText(error, 'The switch'));
      }
    },
  });
  const off = [choice('Off until closing', false, 'closing'), choice('Off until I say', false)];
  const choices = walkIns.open ? off : walkIns.reason === 'switch' ? [choice('On again', true)] : [];
  return (
    <>
      <Moment isOpen={walkIns.open} choices={choices}>
        <Linked text={walkInsText(walkIns, (instant) => timeText(instant, zone))} />
      </Moment>
      <Notice text={refused} />
      {addingFault(walkIns) && <WhoSwitches />}
    </>
  );
}

const WhoSwitches = () => (manages(useStore().role) ? null : <p className="quiet">A manager of the store can switch it on.</p>);

interface DialogProps {
  readonly queue: QueueReply;
  onClose(): void;
}

export function WalkInDialog({ queue: { chairs, services, walk_ins }, onClose }: DialogProps) {
  const { id: store_id } = useStore();
  const [fields, setFields] = useState({ name: '', phone: '', people: '1', service: '', chair: '' });
  const set = (name: keyof typeof fields) => (value: string) => setFields((before) => ({ ...before, [name]: value }));
  const act = async (_: string, key: string) => {
    const { name, phone, people, service, chair } = fields;
    const guest = { guest_name: name.trim() || null, guest_phone: phone.trim() || null };
    await addWalkIn({ store_id, ...guest, party_size: Number(people), service_id: service || null, chair_id: chair || null }, key);
    announce(`${name.trim() || 'The guest'} is in the queue.`);
    await readQueueAgain();
  };
  const fault = addingFault(walk_ins);
  if (fault !== null)
    return (
      <Dialog title="Add a walk-in" onClose={onClose}>
        <Notice text={fault} />
        <WhoSwitches />
        <div className="dialog-buttons">
          <button type="button" onClick={onClose}>
            Close
          </button>
        </div>
      </Dialog>
    );
  return (
    <ConfirmWithReason title="Add a walk-in" label="Add to the queue" reason={false} act={act} onClose={onClose}>
      <InputField label="Name" value={fields.name} maxLength={80} onType={set('name')} />
      <InputField
        label="Phone"
        hint="As it is dialled here, or with its country: +44 7700 900003. A text is sent there when it is their turn."
        type="tel"
        value={fields.phone}
        maxLength={40}
        onType={set('phone')}
      />
      <Choice label="People" value={fields.people} onChoose={set('people')} options={peopleOptions} />
      {services.length > 1 && <Choice label="Service" value={fields.service} onChoose={set('service')} options={namesOf(services)} />}
      {chairs.length > 0 && (
        <Choice label="Chair" value={fields.chair} onChoose={set('chair')} options={[['', 'Any chair'], ...namesOf(chairs)]} />
      )}
    </ConfirmWithReason>
  );
}

const peopleOptions: Options = Array.from({ length: 8 }, (_, index) => [String(index + 1), String(index + 1)]);
const namesOf = (of: QueueReply['chairs']): Options => of.map(({ id, name }) => [id, name]);
