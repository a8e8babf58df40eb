import { useState } from 'preact/hooks';
import { useLanguage, useTexts } from '../../texts/use-texts.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { ErrorNotice, Notice } from '../../ui/notice.tsx';
import { useTrying } from '../../ui/use-trying.ts';
import { readPhone } from './phone.ts';
import { useMe } from './use-me.ts';

type Typed = Partial<Record<'name' | 'email' | 'phone', string>>;

export function Profile() {
  const { me: texts } = useTexts();
  const { language } = useLanguage();
  const { profile, change } = useMe();
  const [typed, setTyped] = useState<Typed>({});
  const [saved, setSaved] = useState(false);
  const { busy, failed, trying } = useTrying();
  const isPhoneWrong = isNoPhone(typed.phone ?? '');
  const [showWrong, setShowWrong] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    setShowWrong(isPhoneWrong);
    if (isPhoneWrong) return;
    void trying(async () => {
      await change({ ...valuesOf(typed), language });
      setTyped({});
      setSaved(true);
    });
  };
  const inputOf = (field: keyof Typed) => ({
    value: typed[field] ?? profile?.[field] ?? '',
    onInput: ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) => {
      setTyped({ ...typed, [field]: value });
      setSaved(false);
    },
  });
  return (
    <form class="part" onSubmit={submit}>
      <h2>{texts.profile}</h2>
      <p class="hint">{texts.profileHint}</p>
      <Field label={texts.name} autocomplete="name" maxLength={120} {...inputOf('name')} />
      <Field type="email" label={texts.email} autocomplete="email" maxLength={254} {...inputOf('email')} />
      <Field
        type="tel"
        label={texts.phone}
        hint={texts.phoneHint}
        autocomplete="tel"
        maxLength={24}
        error={showWrong && isPhoneWrong ? texts.phoneWrong : undefined}
        {...inputOf('phone')}
      />
      {failed === undefined ? null : <ErrorNotice error={failed} />}
      {saved ? <Notice kind="good">{texts.saved}</Notice> : null}
      <SaveButton busy={busy} disabled={Object.keys(typed).length === 0} />
    </form>
  );
}

const isNoPhone = (text: string): boolean => text.trim() !== '' && readPhone(text) === null;

const valuesOf = ({ phone, ...texts }: Typed) => ({
  ...Object.fromEntries(Object.entries(texts).map(([field, value]) => [field, value.trim() || null])),
  ...(phone === undefined ? {} : { phone: readPhone(phone) }),
});

function SaveButton(props: { readonly busy: boolean; readonly disabled: boolean }) {
  const { me: texts } = useTexts();
  return (
    <div>
      <Button type="submit" {...props}>
        {texts.save}
      </Button>
    </div>
  );
}
