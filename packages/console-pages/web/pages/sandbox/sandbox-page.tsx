import type { Sandbox } from '@corner/console-api';
import { Empty, Loaded, Page, Section } from '../../components/index.ts';
import { useRead } from '../../shell/queries.ts';
import { Control } from './control.tsx';
import { groupsOf, groupTitles } from './groups.ts';

export default function SandboxPage() {
  const read = useRead<Sandbox>('/api/sandbox');
  return (
    <Page title="Sandbox" about="Plays the customer, the payment provider and the network. Development only.">
      <Loaded of={read}>
        {({ controls }) =>
          controls.length === 0 ? (
            <Empty title="There is nothing to control here." />
          ) : (
            groupsOf(controls).map(([group, members]) => (
              <Section key={group} title={groupTitles[group]}>
                <div className="cards controls-of-group">
                  {members.map((control) => (
                    <Control key={control.name} control={control} />
                  ))}
                </div>
              </Section>
            ))
          )
        }
      </Loaded>
    </Page>
  );
}
