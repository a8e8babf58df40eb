// jest runs the sources through the same type stripper as production does: positions stay, so no source maps are needed.
import { stripTypeScriptTypes } from 'node:module';

export default { process: (source) => ({ code: stripTypeScriptTypes(source) }) };
