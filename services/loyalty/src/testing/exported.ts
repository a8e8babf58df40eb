/** What the tests of other packages may use of loyalty: taps of NTAG 424 tags, and the key setting that verifies them. */
export { fieldsOf, tapOf, testKeysSetting } from './tags.ts';
