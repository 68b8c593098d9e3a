/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PTO: structures as QObjects, by rows that serve both directions.
 */
#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qobject/qbool.h"
#include "qobject/qnull.h"
#include "qobject/qnum.h"
#include "qobject/qstring.h"
#include "archfield.h"

static uint64_t field_get(const void *base, const PtoField *f)
{
    const void *p = (const char *)base + f->offset;

    switch (f->type) {
    case PTO_FIELD_BOOL:
        return *(const bool *)p;
    case PTO_FIELD_U8:
        return *(const uint8_t *)p;
    case PTO_FIELD_U16:
        return *(const uint16_t *)p;
    case PTO_FIELD_U32:
        return *(const uint32_t *)p;
    default:
        return *(const uint64_t *)p;
    }
}

static void field_set(void *base, const PtoField *f, uint64_t value)
{
    void *p = (char *)base + f->offset;

    switch (f->type) {
    case PTO_FIELD_BOOL:
        *(bool *)p = value;
        break;
    case PTO_FIELD_U8:
        *(uint8_t *)p = value;
        break;
    case PTO_FIELD_U16:
        *(uint16_t *)p = value;
        break;
    case PTO_FIELD_U32:
        *(uint32_t *)p = value;
        break;
    default:
        *(uint64_t *)p = value;
        break;
    }
}

static uint64_t field_limit(const PtoField *f)
{
    static const uint64_t limit[] = {
        [PTO_FIELD_BOOL] = 1, [PTO_FIELD_U8] = UINT8_MAX, [PTO_FIELD_U16] = UINT16_MAX,
        [PTO_FIELD_U32] = UINT32_MAX, [PTO_FIELD_U64] = UINT64_MAX,
    };

    return f->max ? f->max : limit[f->type];
}

void pto_put_u64(QDict *d, const char *key, uint64_t value)
{
    qdict_put(d, key, qnum_from_uint(value));
}

/* @all: also fields that are zero. */
void pto_put_fields(QDict *d, const void *base, const PtoField *f, bool all)
{
    for (; f->key; f++) {
        uint64_t value = field_get(base, f);

        if (!value && !all) {
            continue;
        }
        if (f->type == PTO_FIELD_BOOL) {
            qdict_put_bool(d, f->key, value);
        } else {
            pto_put_u64(d, f->key, value);
        }
    }
}

QDict *pto_fields_dict(const void *base, const PtoField *f)
{
    QDict *d = qdict_new();

    pto_put_fields(d, base, f, true);
    return d;
}

/* ---- taking values out of an object; a taken key is removed ---- */

/*
 * True: *@value holds the key's value.  False: the key is absent, or it is
 * wrong and *@errp is set.
 */
bool pto_take_u64(QDict *d, const char *key, uint64_t max, uint64_t *value,
                     Error **errp)
{
    QObject *obj = qdict_get(d, key);
    QNum *num = qobject_to(QNum, obj);

    if (!obj) {
        return false;
    }
    if (!num || !qnum_get_try_uint(num, value) || *value > max) {
        error_setg(errp, "'%s' must be an integer in 0..0x%" PRIx64, key, max);
        return false;
    }
    qdict_del(d, key);
    return true;
}

bool pto_take_bool(QDict *d, const char *key, uint64_t *value, Error **errp)
{
    QObject *obj = qdict_get(d, key);
    QBool *flag = qobject_to(QBool, obj);

    if (!obj) {
        return false;
    }
    if (!flag) {
        error_setg(errp, "'%s' must be true or false", key);
        return false;
    }
    *value = qbool_get_bool(flag);
    qdict_del(d, key);
    return true;
}

bool pto_take_name(QDict *d, const char *key, const char *const *names,
                      unsigned count, uint64_t *value, Error **errp)
{
    QObject *obj = qdict_get(d, key);
    QString *text = qobject_to(QString, obj);
    unsigned i;

    if (!obj) {
        return false;
    }
    for (i = 0; text && i < count; i++) {
        if (names[i] && g_str_equal(names[i], qstring_get_str(text))) {
            *value = i;
            qdict_del(d, key);
            return true;
        }
    }
    error_setg(errp, "'%s' is not one of its names", key);
    return false;
}

/* Sub-object, owned by @d until pto_leave() takes it away. */
QDict *pto_enter(QDict *d, const char *key, Error **errp)
{
    QObject *obj = qdict_get(d, key);
    QDict *sub = qobject_to(QDict, obj);

    if (obj && !sub) {
        error_setg(errp, "'%s' must be an object", key);
    }
    return sub;
}

QList *pto_enter_list(QDict *d, const char *key, Error **errp)
{
    QObject *obj = qdict_get(d, key);
    QList *list = qobject_to(QList, obj);

    if (obj && !list) {
        error_setg(errp, "'%s' must be a list", key);
    }
    return list;
}

/* Nothing may be left of an object that was taken apart. */
bool pto_all_taken(const QDict *d, const char *where, Error **errp)
{
    const QDictEntry *e = qdict_first(d);

    if (e) {
        error_setg(errp, "unknown key '%s' in %s", qdict_entry_key(e), where);
        return false;
    }
    return true;
}

bool pto_leave(QDict *d, const char *key, Error **errp)
{
    QDict *sub = qobject_to(QDict, qdict_get(d, key));

    if (sub && !pto_all_taken(sub, key, errp)) {
        return false;
    }
    qdict_del(d, key);
    return true;
}

bool pto_take_fields(QDict *d, void *base, const PtoField *f, Error **errp)
{
    ERRP_GUARD();

    for (; f->key; f++) {
        uint64_t value;
        bool there = f->type == PTO_FIELD_BOOL
            ? pto_take_bool(d, f->key, &value, errp)
            : pto_take_u64(d, f->key, field_limit(f), &value, errp);

        if (*errp) {
            return false;
        }
        if (there) {
            field_set(base, f, value);
        }
    }
    return true;
}

/* Object @key made of @f only; *@there tells whether it was given. */
bool pto_take_object(QDict *d, const char *key, void *base, const PtoField *f,
                        bool *there, Error **errp)
{
    ERRP_GUARD();
    QDict *sub = pto_enter(d, key, errp);

    if (there) {
        *there = sub;
    }
    if (*errp || (sub && !pto_take_fields(sub, base, f, errp))) {
        return false;
    }
    return pto_leave(d, key, errp);
}

QList *pto_words_list(const uint64_t *word, unsigned n)
{
    QList *list = qlist_new();
    unsigned i;

    for (i = 0; i < n; i++) {
        qlist_append(list, qnum_from_uint(word[i]));
    }
    return list;
}

bool pto_take_words(QDict *d, const char *key, uint64_t *word, unsigned n,
                       Error **errp)
{
    ERRP_GUARD();
    QList *list = pto_enter_list(d, key, errp);
    QListEntry *e;
    unsigned i = 0;

    if (!list) {
        return !*errp;
    }
    QLIST_FOREACH_ENTRY(list, e) {
        QNum *num = qobject_to(QNum, qlist_entry_obj(e));

        if (i == n || !num || !qnum_get_try_uint(num, &word[i])) {
            error_setg(errp, "'%s' must hold at most %u integers", key, n);
            return false;
        }
        i++;
    }
    qdict_del(d, key);
    return true;
}
