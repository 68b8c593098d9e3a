/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: rows that describe members of a structure for reading them into and
 * loading them from a QDict, and the vocabulary to take such an object apart.
 *
 * A key that was taken is removed, so whatever is left at the end is unknown.
 */
#ifndef PTO_ARCHFIELD_H
#define PTO_ARCHFIELD_H

#include "qobject/qdict.h"
#include "qobject/qlist.h"

typedef enum PtoFieldType {
    PTO_FIELD_BOOL,
    PTO_FIELD_U8,
    PTO_FIELD_U16,
    PTO_FIELD_U32,
    PTO_FIELD_U64,
} PtoFieldType;

typedef struct PtoField {
    const char *key;
    PtoFieldType type;
    size_t offset;
    uint64_t max;           /* greatest accepted value, 0: of the type */
} PtoField;

#define PTO_ROW_MAX(key, type, s, member, max) \
    { key, PTO_FIELD_##type, offsetof(s, member), max }
#define PTO_ROW(key, type, s, member) PTO_ROW_MAX(key, type, s, member, 0)
#define PTO_ROW_END { NULL }

/**
 * pto_put_u64: add the unsigned integer @value.
 */
void pto_put_u64(QDict *d, const char *key, uint64_t value);

/**
 * pto_put_fields: add the members of @base that @f lists.
 * @all: also those that are zero
 */
void pto_put_fields(QDict *d, const void *base, const PtoField *f, bool all);

/**
 * pto_fields_dict: new object with all members that @f lists.
 */
QDict *pto_fields_dict(const void *base, const PtoField *f);

/**
 * pto_words_list: new list of @n unsigned integers.
 */
QList *pto_words_list(const uint64_t *word, unsigned n);

/**
 * pto_take_u64: take an integer of at most @max.
 *
 * Returns true with *@value set; false if the key is absent, or if it is
 * wrong and *@errp is set.
 */
bool pto_take_u64(QDict *d, const char *key, uint64_t max, uint64_t *value,
                  Error **errp);

/**
 * pto_take_bool: take a truth value, as pto_take_u64().
 */
bool pto_take_bool(QDict *d, const char *key, uint64_t *value, Error **errp);

/**
 * pto_take_name: take one of @names and give its index, as pto_take_u64().
 */
bool pto_take_name(QDict *d, const char *key, const char *const *names,
                   unsigned count, uint64_t *value, Error **errp);

/**
 * pto_take_fields: load all members that @f lists and that are given.
 *
 * Returns false with *@errp set when a value is wrong; so do the functions
 * below.
 */
bool pto_take_fields(QDict *d, void *base, const PtoField *f, Error **errp);

/**
 * pto_take_object: take object @key, which holds nothing but @f.
 * @there: set to whether it was given (may be NULL)
 */
bool pto_take_object(QDict *d, const char *key, void *base, const PtoField *f,
                     bool *there, Error **errp);

/**
 * pto_take_words: take a list of at most @n unsigned integers.
 */
bool pto_take_words(QDict *d, const char *key, uint64_t *word, unsigned n,
                    Error **errp);

/**
 * pto_enter: object @key, still owned by @d; NULL if absent or wrong.
 */
QDict *pto_enter(QDict *d, const char *key, Error **errp);

/**
 * pto_enter_list: list @key, still owned by @d; NULL if absent or wrong.
 */
QList *pto_enter_list(QDict *d, const char *key, Error **errp);

/**
 * pto_leave: remove object @key, of which nothing may be left.
 */
bool pto_leave(QDict *d, const char *key, Error **errp);

/**
 * pto_all_taken: error if anything is left of @d, named @where.
 */
bool pto_all_taken(const QDict *d, const char *where, Error **errp);

#endif
