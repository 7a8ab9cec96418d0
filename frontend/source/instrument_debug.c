/* Reads debug information: where an instruction comes from, what a variable is
 * called. The C interface of LLVM has few readers for it, so operands of the
 * metadata nodes are taken by their position (llvm/IR/DebugInfoMetadata.h). */
#include "frontend/source/instrument.h"
#include "frontend/source/instrument_module.h"
#include "hw/isa.h"

#include <llvm-c/DebugInfo.h>

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { /* positions of operands */
       SCOPE_PARENT = 1,
       SUBPROGRAM_NAME = 2,
       VARIABLE_NAME = 1,
       VARIABLE_TYPE = 3,
       TYPE_NAME = 2,
       TYPE_BASE = 3,
       COMPOSITE_ELEMENTS = 4,
       SUBRANGE_COUNT = 0,
};

enum { /* DWARF tags */
       DWARF_ARRAY = 0x01,
       DWARF_MEMBER = 0x0d,
       DWARF_POINTER = 0x0f,
       DWARF_STRUCTURE = 0x13,
       DWARF_TYPEDEF = 0x16,
       DWARF_UNION = 0x17,
       DWARF_CONST = 0x26,
       DWARF_VOLATILE = 0x35,
       DWARF_RESTRICT = 0x37,
       DWARF_ATOMIC_TYPE = 0x47,
};

/* Operand `i` of a metadata node; NULL if it has none. */
static LLVMValueRef operand(struct instrument *in, LLVMMetadataRef node,
                            unsigned i)
{
    LLVMValueRef value = LLVMMetadataAsValue(in->context, node);
    unsigned n = LLVMGetMDNodeNumOperands(value);
    if (i >= n)
        return NULL;
    LLVMValueRef small[32], *all = small;
    if (n > 32)
        all = malloc(n * sizeof(LLVMValueRef));
    if (!all)
        return NULL;
    LLVMGetMDNodeOperands(value, all);
    LLVMValueRef result = all[i];
    if (all != small)
        free(all);
    return result;
}

static LLVMMetadataRef operand_node(struct instrument *in, LLVMMetadataRef node,
                                    unsigned i)
{
    LLVMValueRef value = operand(in, node, i);
    return value ? LLVMValueAsMetadata(value) : NULL;
}

static uint32_t operand_text(struct instrument *in, LLVMMetadataRef node,
                             unsigned i)
{
    LLVMValueRef value = operand(in, node, i);
    unsigned n = 0;
    const char *s = value ? LLVMGetMDString(value, &n) : NULL;
    if (!s)
        return 0;
    char text[256];
    n = n < sizeof text - 1 ? n : (unsigned)sizeof text - 1;
    memcpy(text, s, n);
    text[n] = '\0';
    return program_text(in->program, text);
}

static unsigned count_operands(struct instrument *in, LLVMMetadataRef node)
{
    return LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(in->context, node));
}

/* Clang takes what the file's path shares with the working directory apart. */
static void full_path(LLVMMetadataRef file, char *buf, size_t cap)
{
    unsigned n_name, n_folder;
    const char *name = LLVMDIFileGetFilename(file, &n_name);
    const char *folder = LLVMDIFileGetDirectory(file, &n_folder);
    char here[PATH_MAX];
    if (n_name == 0 || name[0] == '/' || n_folder == 0)
        n_folder = 0;
    snprintf(buf, cap, "%.*s%s%.*s", (int)n_folder, folder, n_folder ? "/" : "",
             (int)n_name, name);
    size_t n = getcwd(here, sizeof here) ? strlen(here) : 0;
    if (n > 1 && strncmp(buf, here, n) == 0 && buf[n] == '/')
        memmove(buf, buf + n + 1, strlen(buf + n + 1) + 1);
}

bool instrument_file(LLVMValueRef instruction, char *buf, size_t cap,
                     unsigned *line)
{
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
    *line = 0;
    if (!location)
        return false;
    *line = LLVMDILocationGetLine(location);
    LLVMMetadataRef file = LLVMDIScopeGetFile(LLVMDILocationGetScope(location));
    if (file)
        full_path(file, buf, cap);
    return file != NULL;
}

/* The function that a scope belongs to, NULL: none. */
static const char *scope_name(struct instrument *in, LLVMMetadataRef scope)
{
    while (scope &&
           LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind) {
        LLVMMetadataKind kind = LLVMGetMetadataKind(scope);
        if (kind != LLVMDILexicalBlockMetadataKind &&
            kind != LLVMDILexicalBlockFileMetadataKind)
            return NULL;
        scope = operand_node(in, scope, SCOPE_PARENT);
    }
    if (!scope)
        return NULL;
    /* Interning may move the table. */
    uint32_t name = operand_text(in, scope, SUBPROGRAM_NAME);
    return in->program->texts[name];
}

place_id instrument_place(struct instrument *in, LLVMValueRef instruction)
{
    unsigned line;
    char file[PATH_MAX];
    if (!instrument_file(instruction, file, sizeof file, &line))
        return PLACE_NONE;
    LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
    /* That the code was written in, which inlining hides. */
    const char *function = scope_name(in, LLVMDILocationGetScope(location));
    size_t n;
    if (!function)
        function = LLVMGetValueName2(in->function, &n);
    return program_place(in->program, file, function, line,
                         LLVMDILocationGetColumn(location));
}

static uint32_t make_type(struct instrument *in, LLVMMetadataRef type);

static uint32_t make_scalar(struct instrument *in, uint64_t bytes,
                            enum type_encoding encoding)
{
    return image_add_type(in->image,
                          (struct image_type){.kind = TYPE_SCALAR,
                                              .encoding = (uint8_t)encoding,
                                              .first = TYPE_NONE,
                                              .size = bytes});
}

/* The C interface does not say how a basic type is encoded, but clang has one
 * name for each. */
static uint32_t make_basic(struct instrument *in, LLVMMetadataRef type)
{
    bool is_basic = LLVMGetMetadataKind(type) == LLVMDIBasicTypeMetadataKind;
    uint32_t text = is_basic ? operand_text(in, type, TYPE_NAME) : 0;
    const char *name = in->program->texts[text];
    uint64_t bytes = LLVMDITypeGetSizeInBits(type) / 8;
    bool is_float = strcmp(name, "float") == 0 || strcmp(name, "double") == 0 ||
                    strcmp(name, "_Float16") == 0 ||
                    strcmp(name, "long double") == 0 ||
                    strcmp(name, "__float128") == 0;
    bool is_unsigned =
        strncmp(name, "unsigned", 8) == 0 || strcmp(name, "_Bool") == 0;
    bool is_pointer = LLVMGetDINodeTag(type) == DWARF_POINTER;
    uint32_t made = make_scalar(in, bytes,
                                is_pointer    ? ENCODING_POINTER
                                : is_float    ? ENCODING_FLOAT
                                : is_unsigned ? ENCODING_UNSIGNED
                                              : ENCODING_INTEGER);
    const struct isa *isa = isa_of_triple(LLVMGetTarget(in->module));
    if (strcmp(name, "long double") == 0 && bytes == 16 && isa &&
        isa->long_double_bytes)
        in->image->types[made].used = isa->long_double_bytes;
    return made;
}

/* Types of <pthread.h>, <threads.h> and <semaphore.h> that the library keeps
 * its own notes in. */
static bool is_library_type(const struct instrument *in, uint32_t text)
{
    const char *name = in->program->texts[text];
    static const char *const names[] = {"pthread_mutex_t",
                                        "pthread_cond_t",
                                        "pthread_barrier_t",
                                        "pthread_once_t",
                                        "pthread_rwlock_t",
                                        "pthread_spinlock_t",
                                        "pthread_attr_t",
                                        "pthread_key_t",
                                        "pthread_mutexattr_t",
                                        "pthread_condattr_t",
                                        "pthread_barrierattr_t",
                                        "pthread_rwlockattr_t",
                                        "sem_t",
                                        "mtx_t",
                                        "cnd_t",
                                        "once_flag",
                                        "tss_t"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* One type a dimension, from the innermost out. */
static uint32_t make_array(struct instrument *in, LLVMMetadataRef type)
{
    LLVMMetadataRef base = operand_node(in, type, TYPE_BASE);
    LLVMMetadataRef ranges = operand_node(in, type, COMPOSITE_ELEMENTS);
    uint32_t result = base ? make_type(in, base) : TYPE_NONE;
    if (result == TYPE_NONE || !ranges)
        return TYPE_NONE;
    for (unsigned i = count_operands(in, ranges); i-- > 0;) {
        LLVMMetadataRef range = operand_node(in, ranges, i);
        LLVMValueRef count = range ? operand(in, range, SUBRANGE_COUNT) : NULL;
        int64_t counted = count && LLVMIsAConstantInt(count)
                              ? LLVMConstIntGetSExtValue(count)
                              : 0;
        uint64_t n = counted > 0 ? (uint64_t)counted : 0; /* -1: flexible */
        result = image_add_type(
            in->image,
            (struct image_type){.kind = TYPE_ARRAY,
                                .first = result,
                                .n = (uint32_t)n,
                                .size = n * in->image->types[result].size});
    }
    return result;
}

static uint32_t make_struct(struct instrument *in, LLVMMetadataRef type)
{
    struct image *im = in->image;
    bool is_union = LLVMGetDINodeTag(type) == DWARF_UNION;
    uint32_t self = image_add_type(
        im, (struct image_type){.kind = is_union ? TYPE_UNION : TYPE_STRUCT,
                                .size = LLVMDITypeGetSizeInBits(type) / 8,
                                .meta = type});
    LLVMMetadataRef elements = operand_node(in, type, COMPOSITE_ELEMENTS);
    unsigned n = elements ? count_operands(in, elements) : 0;
    struct image_member *members = calloc(n + 1, sizeof *members);
    uint32_t k = 0;
    for (unsigned i = 0; members && i < n; i++) {
        LLVMMetadataRef m = operand_node(in, elements, i);
        if (!m || LLVMGetMetadataKind(m) != LLVMDIDerivedTypeMetadataKind)
            continue;
        LLVMMetadataRef base = operand_node(in, m, TYPE_BASE);
        uint64_t bit = LLVMDITypeGetOffsetInBits(m);
        bool is_field = LLVMDITypeGetFlags(m) & LLVMDIFlagBitField;
        members[k++] = (struct image_member){
            .name = operand_text(in, m, TYPE_NAME),
            .type = base ? make_type(in, base) : TYPE_NONE,
            .offset = bit / 8,
            .bit = bit,
            .n_bits = is_field ? (uint32_t)LLVMDITypeGetSizeInBits(m) : 0,
        };
    }
    /* Members of a struct stand together, so they follow those of the structs
     * in it. */
    im->types[self].first = im->n_members;
    im->types[self].n = k;
    for (uint32_t i = 0; i < k; i++)
        image_add_member(im, members[i]);
    free(members);
    return self;
}

/* Of a type that may be an alias, whose own size is not said. */
static uint64_t size_of(struct instrument *in, LLVMMetadataRef type)
{
    uint64_t bits = LLVMDITypeGetSizeInBits(type);
    for (int depth = 0; !bits && depth < 50; depth++) {
        LLVMMetadataRef base = operand_node(in, type, TYPE_BASE);
        if (!base)
            break;
        type = base;
        bits = LLVMDITypeGetSizeInBits(type);
    }
    return bits / 8;
}

static uint32_t make_type(struct instrument *in, LLVMMetadataRef type)
{
    for (uint32_t i = 0; i < in->image->n_types; i++)
        if (in->image->types[i].meta == type)
            return i;
    LLVMMetadataRef base;
    switch (LLVMGetDINodeTag(type)) {
    case DWARF_ARRAY:
        return make_array(in, type);
    case DWARF_STRUCTURE:
    case DWARF_UNION:
        return make_struct(in, type);
    case DWARF_TYPEDEF:
        if (is_library_type(in, operand_text(in, type, TYPE_NAME)))
            return image_add_type(
                in->image, (struct image_type){.kind = TYPE_LIBRARY,
                                               .size = size_of(in, type)});
        base = operand_node(in, type, TYPE_BASE);
        return base ? make_type(in, base) : TYPE_NONE;
    case DWARF_CONST:
    case DWARF_VOLATILE:
    case DWARF_RESTRICT:
    case DWARF_ATOMIC_TYPE:
        base = operand_node(in, type, TYPE_BASE);
        return base ? make_type(in, base) : TYPE_NONE;
    default:
        return make_basic(in, type);
    }
}

/* Where it is declared; that, not its name, says which variable it is. */
static void describe_place(struct instrument *in, LLVMMetadataRef variable,
                           struct image_global *out)
{
    char path[PATH_MAX];
    LLVMMetadataRef file = LLVMDIVariableGetFile(variable);
    const char *function = scope_name(in, LLVMDIVariableGetScope(variable));
    out->function = function ? program_text(in->program, function) : 0;
    out->line = LLVMDIVariableGetLine(variable);
    if (!file)
        return;
    full_path(file, path, sizeof path);
    out->file = program_text(in->program, path);
}

void instrument_describe_global(struct instrument *in, LLVMValueRef global,
                                struct image_global *out)
{
    size_t n;
    const char *name = LLVMGetValueName2(global, &n);
    out->type = TYPE_NONE;
    unsigned dbg = LLVMGetMDKindIDInContext(in->context, "dbg", 3);
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(global, &n);
    unsigned external = LLVMGetMDKindIDInContext(
        in->context, INSTRUMENT_EXTERNAL, strlen(INSTRUMENT_EXTERNAL));
    for (unsigned i = 0; i < n; i++) {
        unsigned kind = LLVMValueMetadataEntriesGetKind(all, i);
        out->external |= kind == external;
        if (kind != dbg || out->declared)
            continue;
        LLVMMetadataRef variable = LLVMDIGlobalVariableExpressionGetVariable(
            LLVMValueMetadataEntriesGetMetadata(all, i));
        out->name = out->declared = operand_text(in, variable, VARIABLE_NAME);
        describe_place(in, variable, out);
        LLVMMetadataRef type = operand_node(in, variable, VARIABLE_TYPE);
        if (type)
            out->type = make_type(in, type);
    }
    LLVMDisposeValueMetadataEntries(all);
    if (!out->name)
        out->name = program_text(in->program, name);
}

/* Local variables have lost their debug information by now; their LLVM type
 * gives indices, not names of members. */
uint32_t instrument_type(struct instrument *in, LLVMTypeRef type)
{
    uint64_t bytes = LLVMABISizeOfType(in->layout, type);
    if (LLVMGetTypeKind(type) != LLVMArrayTypeKind)
        return make_scalar(in, bytes, ENCODING_INTEGER);
    uint32_t element = instrument_type(in, LLVMGetElementType(type));
    return image_add_type(in->image, (struct image_type){.kind = TYPE_ARRAY,
                                                         .first = element,
                                                         .size = bytes});
}
