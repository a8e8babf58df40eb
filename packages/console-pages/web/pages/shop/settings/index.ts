export { type Bound, boundTo } from './bound.ts';
export { changedFields, directoryPath, listChanges } from './directory-objects.ts';
export { fieldErrorsOf, markedInstead } from './field-errors.ts';
export { ChoiceField, DaysField, NumberField, SwitchField, TextField, TimeField } from './form-fields.tsx';
export { PastedQuestions } from './menu/pasted-questions.tsx';
export { type Floor, floorObject, useSavedStore } from './offer-objects.ts';
export { sectionPath } from './sections.ts';
export { currencyOptions, languages, zoneOptions } from './store-options.ts';
