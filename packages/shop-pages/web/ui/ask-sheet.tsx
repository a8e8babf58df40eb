import { Button } from './button.tsx';
import { ErrorNotice } from './notice.tsx';
import { Sheet } from './sheet.tsx';

interface AskSheetProps {
  readonly title: string;
  readonly hint: string;
  readonly yes: string;
  readonly no: string;
  readonly busy: boolean;
  readonly failed: unknown;
  readonly onYes: () => unknown;
  readonly onClose: () => void;
}

export const AskSheet = ({ title, hint, yes, no, busy, failed, onYes, onClose }: AskSheetProps) => (
  <Sheet
    title={title}
    onClose={onClose}
    foot={
      <>
        <Button kind="danger" busy={busy} onClick={() => void onYes()}>
          {yes}
        </Button>
        <Button onClick={onClose}>{no}</Button>
      </>
    }
  >
    <p>{hint}</p>
    {failed === undefined ? null : <ErrorNotice error={failed} />}
  </Sheet>
);
